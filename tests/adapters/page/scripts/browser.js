// As much of a browser as the page's logic asks for when it is loaded.

const nothing = new Proxy(() => nothing, { get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing) });
globalThis.document = { createElement: () => nothing, getElementById: () => nothing, querySelector: () => nothing };
globalThis.location = { pathname: "/r/main" };
globalThis.localStorage = { getItem: () => null };
globalThis.fetch = async () => ({ json: async () => ({ language: "en", languages: ["en"], texts: {} }) });
