// Runs before the scripts of each page: a page reports to its driver through its console.
((mark) => {
  let last = 0;
  const { debug } = console;
  const tell = (kind, value) => debug.call(console, mark + JSON.stringify([++last, kind, value]));
  window[mark] = tell;

  // Without a graphics card, one pulsing ring that nobody looks at keeps a whole core busy.
  const isEndless = (animation) => animation.effect.getComputedTiming().endTime === Infinity;
  addEventListener("animationstart", ({ target }) => {
    target.getAnimations({ subtree: true }).filter(isEndless).forEach((each) => each.pause());
  }, true);

  if (window !== window.top) return;
  for (const change of ["pushState", "replaceState"]) {
    const real = history[change];
    history[change] = function (...given) {
      real.apply(this, given);
      tell("address", location.href);
    };
  }
  addEventListener("hashchange", () => tell("address", location.href));
  addEventListener("popstate", () => tell("address", location.href));
})
