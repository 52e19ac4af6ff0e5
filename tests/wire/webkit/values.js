// Converts the values that WebDriver BiDi sends to a page's scripts, and those it requests from them.
(send) => {
  const kept = new Map();
  const shared = new WeakMap();
  let last = 0;

  const keep = (value) => {
    kept.set(`${++last}`, value);
    return `${last}`;
  };

  const share = (node) => {
    if (!shared.has(node)) shared.set(node, keep(node));
    return shared.get(node);
  };

  const special = { NaN, Infinity, "-Infinity": -Infinity, "-0": -0 };

  const read = ({ handle, sharedId, type, value }) => {
    if (handle ?? sharedId) return kept.get(handle ?? sharedId);
    switch (type) {
      case "undefined":
        return undefined;
      case "null":
        return null;
      case "number":
        return typeof value === "string" ? special[value] : value;
      case "bigint":
        return BigInt(value);
      case "array":
        return value.map(read);
      case "object":
        return Object.fromEntries(value.map(([key, each]) => [typeof key === "string" ? key : read(key), read(each)]));
      case "date":
        return new Date(value);
      case "regexp":
        return new RegExp(value.pattern, value.flags);
      case "channel":
        return (data) => send(value.channel, data);
      default:
        return value;
    }
  };

  const kindOf = (value) => {
    if (typeof value === "function") return "function";
    if (Array.isArray(value)) return "array";
    if (value instanceof Node) return "node";
    if (value instanceof Error) return "error";
    if (value === value.window) return "window";
    return "object";
  };

  const write = (value, isKept) => {
    if (value === null) return { type: "null" };
    if (typeof value === "number") {
      const isPlain = Number.isFinite(value) && !Object.is(value, -0);
      return { type: "number", value: isPlain ? value : Object.is(value, -0) ? "-0" : `${value}` };
    }
    if (typeof value === "bigint") return { type: "bigint", value: `${value}` };
    if (typeof value !== "object" && typeof value !== "function") return { type: typeof value, value };

    const type = kindOf(value);
    const written = { type };
    if (isKept) written.handle = keep(value);
    if (type === "node") Object.assign(written, { sharedId: share(value), value: { localName: value.localName } });
    if (isKept || type === "node") return written;
    if (type === "array") written.value = value.map((each) => write(each, false));
    if (type === "object") written.value = Object.entries(value).map(([key, each]) => [key, write(each, false)]);
    return written;
  };

  const place = (value) => Array.from({ length: frames.length }, (_, each) => frames[each]).indexOf(value);

  const forget = (handles) => handles.forEach((handle) => kept.delete(handle));

  return { read, write, place, forget };
}
