// Run it from the project's folder, as `npm run lint` does, so that the page's scripts are in the linted folder.

import js from "@eslint/js";
import compat from "eslint-plugin-compat";
import globals from "globals";

import manifest from "./package.json" with { type: "json" };

// The oldest browsers that support the page's styles (`:has`), for phones that no longer get updates.
const BROWSERS = manifest.browserslist;

export default [
  js.configs.recommended,
  compat.configs["flat/recommended"],
  {
    languageOptions: { sourceType: "module", globals: globals.browser },
    settings: { browsers: BROWSERS, targets: BROWSERS },
    rules: {
      "no-unused-vars": ["error", { caughtErrors: "none" }],
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "object-shorthand": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "TemplateLiteral TemplateLiteral", message: "rjsmin takes the spaces out of a template in a template." },
      ],
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "What people wrote goes through text nodes." },
      ],
    },
  },
  { files: ["**/first.js"], languageOptions: { sourceType: "script" } },
  { files: ["**/worker.js"], languageOptions: { sourceType: "script", globals: globals.serviceworker } },
];
