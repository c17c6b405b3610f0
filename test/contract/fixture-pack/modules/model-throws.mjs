export default {
  inputZod: {
    "~standard": {
      version: 1,
      vendor: "test",
      validate() {
        throw new Error("the model is broken");
      },
    },
  },
  handler: (input) => input,
};
