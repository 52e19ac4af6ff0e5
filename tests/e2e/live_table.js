// Reads the live table as its viewer sees it: whose turn it is, and where the controls are.
({
  /** Resolve once the game is over, or the reader may move in a later version than `last`, or still after a while. */
  turn(last, patience) {
    return new Promise((resolve) => {
      const began = performance.now();
      const look = () => {
        const isLate = performance.now() - began >= patience;
        const isTurn = document.querySelector("#mine.turn:not(.busy)") && (isLate || this.version > last);
        if (!this.isOver && !isTurn) return;
        watch.disconnect();
        clearInterval(timer);
        resolve();
      };
      const watch = new MutationObserver(look);
      watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ["class", "hidden"] });
      const timer = setInterval(look, patience);
      look();
    });
  },

  get isOver() {
    return document.querySelector(".outcome:not([hidden], :empty)") !== null;
  },

  /** The version in the moves of the newest hand. */
  get version() {
    const moves = [...document.querySelectorAll("#private [data-token^='m:']")];
    return Math.max(0, ...moves.map(({ dataset }) => Number(dataset.token.split(":")[2])));
  },

  /** Everything that can be touched, as spots that nothing else covers. */
  sight() {
    const held = [...document.querySelectorAll(".held")];
    return {
      is_over: this.isOver,
      version: this.version,
      cards: spots(".held.playable", true),
      numbers: held.flatMap((card, n) => (n < 9 && card.matches(".playable") ? [n + 1] : [])),
      choices: spots(".choices .move"),
      buttons: spots(".big .move, .choices .move"),
      can_take: document.querySelector(".big .take") !== null,
      targets: [...spots(".pair.target"), ...spots("#table")],
    };

    function spots(selector, isInCorner) {
      return [...document.querySelectorAll(selector)].map((each) => {
        const { left, top, width, height } = each.getBoundingClientRect();
        return isInCorner ? [left + 15, top + 18] : [left + width / 2, top + height / 2];
      });
    }
  },
});
