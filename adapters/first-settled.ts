/** Resolves when the first of them settles. By `await`, since pack code may have replaced `Promise.prototype.then`. */
export function firstSettled(promises: readonly Promise<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    const settle = async (promise: Promise<unknown>) => {
      try {
        await promise;
      } catch {
        // That counts, too.
      }
      resolve();
    };
    for (const promise of promises) void settle(promise);
  });
}
