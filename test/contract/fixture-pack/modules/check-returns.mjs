const values = {
  "not passed": () => ({
    passed: false,
    reason: "no",
    judgeResponse: "judged",
    attributes: { score: 0.5 },
    more: [1],
  }),
  "no object": () => true,
  array: () => [],
  null: () => null,
  undefined: () => undefined,
  "passed is a text": () => ({ passed: "true" }),
  "passed is missing": () => ({ reason: "no" }),
  "reason is a number": () => ({ passed: true, reason: 7 }),
  "judgeResponse is null": () => ({ passed: true, judgeResponse: null }),
  "attributes is an array": () => ({ passed: true, attributes: [] }),
  "attributes is null": () => ({ passed: true, attributes: null }),
  bigint: () => ({ passed: true, n: 1n }),
  "passed by toJSON": () => ({ passed: "no", toJSON: () => ({ passed: true, shape: "toJSON" }) }),
  throw: () => {
    throw new Error("the check broke");
  },
};

export const evaluate = (config) => values[config.name]();
