// Checks that the oldest browsers listed in package.json support the page's styles.

import manifest from "./package.json" with { type: "json" };

const WITHOUT = [
  "css-overscroll-behavior", // without it, the page behind also scrolls
  "css-scrollbar", // without it, scrollbars have the system's colours
  "css-touch-action", // desktops have no touch screens
  "extended-system-fonts", // falls back to a similar font
];

export default {
  plugins: ["stylelint-no-unsupported-browser-features"],
  rules: { "plugin/no-unsupported-browser-features": [true, { browsers: manifest.browserslist, ignore: WITHOUT, ignorePartialSupport: true }] },
};
