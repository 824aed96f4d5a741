export default {
  // See docs/decisions/0631-node-loads-the-tests.md.
  testEnvironment: '<rootDir>/tools/jest/environment.mjs',
  runtime: '<rootDir>/tools/jest/runtime.mjs',
  transform: {},
  testMatch: ['<rootDir>/{contracts,libs,services,infra,tools}/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/data', '<rootDir>/.cache'],
  setupFiles: ['<rootDir>/tools/jest/setup.mjs'],
  reporters: ['<rootDir>/tools/jest/line-reporter.mjs'],
  testSequencer: '<rootDir>/tools/jest/sequencer.mjs',
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  // It ends only what hangs: a machine that is busy or slow needs minutes where this one needs seconds.
  testTimeout: 600_000,
  // Under load a worker takes half a second to end although nothing is open.
  workerGracefulExitTimeout: 10_000,
  // Twice the cores of a small machine: tests with brokers, processes and outages mostly wait.
  maxWorkers: 4,
};
