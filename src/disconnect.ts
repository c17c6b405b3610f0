/**
 * Calls `listener` once when a request's caller closes its connection before the answer is out. Returns a function
 * that stops listening, after which nothing of it remains on the request.
 */
export type OnDisconnect = (request: Request, listener: () => void) => () => void;

/** Learns of a disconnect from the request's signal: what every runtime can do. */
export const watchSignal: OnDisconnect = ({ signal }, listener) => {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
};
