const held = new Map();

/**
 * Waits until it is released; says what its signal tells it. When its caller hangs up, it releases the call that
 * `input.frees` names: so a call can be let go while the service takes no other.
 */
export default (input, ctx) => {
  const { abortSignal, log, requestId } = ctx;
  abortSignal.addEventListener("abort", () => {
    const { reason } = abortSignal;
    log.info("aborted", { reason: reason?.name, isDomException: reason instanceof DOMException });
    release({ requestId: input.frees });
  });
  return new Promise((resolve) => {
    held.set(requestId, resolve);
    log.info("entered", { abortedAtStart: abortSignal.aborted });
  });
};

export function release({ requestId }) {
  const resolve = held.get(requestId);
  held.delete(requestId);
  resolve?.({ released: true });
  return { found: resolve !== undefined };
}
