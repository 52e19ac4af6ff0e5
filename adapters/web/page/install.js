// Lets a browser install the page, and say a friendly sentence where there is no network.

export function installWorker() {
  if (!isSecureContext || !navigator.serviceWorker) return; // by http only on the machine itself
  navigator.serviceWorker.register("/page/worker.js", { scope: "/" }).catch(() => {});
}
