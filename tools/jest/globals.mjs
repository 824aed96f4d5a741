/** `@jest/globals`: always those of the test file that runs, also in modules that many files share. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest;

/** @param values what Jest's runner made for a test file */
export function setGlobals(values) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } = values);
  Object.assign(globalThis, values);
}
