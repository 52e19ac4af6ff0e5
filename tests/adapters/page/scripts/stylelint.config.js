// Whether the oldest browsers of the list in package.json know what the page's styles need.

import manifest from "./package.json" with { type: "json" };

const WITHOUT = [
  "css-overscroll-behavior", // the page behind scrolls, too
  "css-scrollbar", // scrollbars keep the colours of the system
  "css-touch-action", // desks have no fingers
  "extended-system-fonts", // another font of its kind
];

export default {
  plugins: ["stylelint-no-unsupported-browser-features"],
  rules: { "plugin/no-unsupported-browser-features": [true, { browsers: manifest.browserslist, ignore: WITHOUT, ignorePartialSupport: true }] },
};
