// News from the server while the page is looked at. A page in the background lets go of its
// connection: a browser has only six of them for one server, and saving must always get one.

/** A server that was started anew may know this browser again soon. */
const AGAIN = 5000;

/** @param {Record<string, (news: any) => void>} listeners by the name of the news; `opened` when it can come @returns {() => void} how to stop */
export function listen(listeners) {
  /** @type {EventSource | null} */
  let source = null;
  const update = () => {
    if (document.visibilityState === "hidden") {
      source?.close();
      source = null;
    } else {
      source ??= open(listeners, () => {
        source = null;
        setTimeout(update, AGAIN);
      });
    }
  };
  document.addEventListener("visibilitychange", update);
  window.addEventListener("pagehide", () => {
    source?.close();
    source = null;
  });
  // A page may come back from the browser's memory.
  window.addEventListener("pageshow", update);
  update();
  return () => {
    document.removeEventListener("visibilitychange", update);
    source?.close();
  };
}

/** @param {Record<string, (news: any) => void>} listeners @param {() => void} onEnd when the browser has given up */
function open(listeners, onEnd) {
  const source = new EventSource("/api/stream");
  // Nobody has told what happened while there was no connection.
  source.addEventListener("open", () => listeners.opened?.(null));
  for (const [name, listener] of Object.entries(listeners)) {
    source.addEventListener(name, (event) => listener(JSON.parse(/** @type {MessageEvent} */ (event).data)));
  }
  source.addEventListener("error", () => source.readyState === EventSource.CLOSED && onEnd());
  return source;
}
