const faults = {
  "timer throw": () => {
    setTimeout(() => {
      throw new Error("thrown in a timer");
    }, 0);
  },
  "two timer throws": () => {
    faults["timer throw"]();
    faults["timer throw"]();
  },
  "floating rejection": () => {
    void Promise.reject(new Error("nobody awaits this"));
  },
  "floating rejection of undefined": () => {
    void Promise.reject(undefined);
  },
  "half a line": () => {
    process.stderr.write("half a line without an end");
  },
  "a line": () => {
    process.stderr.write("a line of the pack's own\n");
  },
  "half a line of its own after": () => {
    process.stderr.write('{"looks":"like a record"');
  },
};

export default (input) => {
  faults[input.name]();
  return { done: input.name };
};
