import { writeFileSync } from "node:fs";

/** A reporter of vitest that writes what `run.mjs` counts to the path in `TEST_RESULTS`: tests, and errors outside any. */
export default class Results {
  onTestRunEnd(modules, unhandledErrors) {
    const results = {
      tests: modules.flatMap((module) => [...module.children.allTests()].map(resultOf)),
      errors: [
        ...modules.flatMap(errorsOf),
        ...unhandledErrors.map(({ message }) => ({ message })),
      ],
    };
    writeFileSync(process.env.TEST_RESULTS, JSON.stringify(results));
  }
}

function resultOf(test) {
  const { state, errors = [] } = test.result();
  return { file: test.module.moduleId, name: test.fullName, state, message: errors[0]?.message };
}

/** What a file and its suites failed with outside their tests: an import, a hook. */
function errorsOf(module) {
  return [module, ...module.children.allSuites()].flatMap((part) =>
    part.errors().map(({ message }) => ({ file: module.moduleId, name: part.fullName, message })),
  );
}
