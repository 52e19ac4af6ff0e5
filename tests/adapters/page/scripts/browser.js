// A minimal browser: the parts that the page's logic needs when it is loaded.

const nothing = new Proxy(() => nothing, { get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing) });
const TEXTS = JSON.stringify({ language: "en", languages: ["en"], texts: {} });
globalThis.document = { addEventListener: () => {}, createElement: () => nothing, createElementNS: () => nothing, getElementById: (id) => (id === "texts" ? { textContent: TEXTS } : nothing), querySelector: () => nothing };
globalThis.location = { host: "localhost", pathname: "/r/main" };
globalThis.window = new EventTarget();
globalThis.addEventListener = window.addEventListener.bind(window);
globalThis.ResizeObserver = class { observe() {} };
globalThis.localStorage = { getItem: () => null };
globalThis.matchMedia = () => ({ matches: false, addEventListener: () => {} });
