/** Logs at each level, then through two children, then what must be masked. */
export default (input, ctx) => {
  const { log } = ctx;
  for (const level of ["error", "warn", "info", "debug", "trace"])
    log[level](`at ${level}`, { level_of: level });
  log.child({ a: 1 }).child({ b: 2 }).info("from a child", { c: 3 });
  log.info("redacted", {
    Authorization: "one-secret",
    "x-api_key": "two-secret",
    nested: [{ db: { "Db-Password": "three-secret" } }],
    userToken: "four-secret",
    session_cookie: "five-secret",
    passwd: "six-secret",
    clientSecret: "seven-secret",
    Secrets: "eight-secret",
    privateKey: "nine-secret",
    passphrase: "ten-secret",
    credential: "eleven-secret",
    awsCredentials: "twelve-secret",
    header: "Bearer thirteen-secret",
    url: "postgres://user:fourteen-secret@db.test/x",
    kept: "kept",
    tokens: 15,
  });
  log.info(`in a message: ${ctx.secrets?.API_KEY} and ${input.envValue}`, {
    value: ctx.secrets?.API_KEY,
  });
  log.info("odd fields", {
    big: 1n,
    self: log,
    get broken() {
      throw new Error("getter");
    },
    time: "mine",
    toolId: "mine",
  });
  return {};
};
