/** A hand-written Standard Schema. */
const model = {
  "~standard": {
    version: 1,
    vendor: "test",
    async validate(value) {
      if (value.refuse) {
        return {
          issues: [
            { message: "refused", path: ["a/b", { key: "~c" }, 0] },
            { message: "refused at the root" },
          ],
        };
      }
      return { value: { ...value, parsed: true } };
    },
  },
};

export default { inputZod: model, handler: (input) => input };
