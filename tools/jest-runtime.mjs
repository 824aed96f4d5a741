import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import vm from 'node:vm';
import JestRuntime from 'jest-runtime';

const load = createRequire(import.meta.url);

/** Packages with a state for the whole process, of which each test file gets its own. */
const keptApart = /\/node_modules\/(@opentelemetry|prom-client|@jest|jest-[a-z-]+)\//;
const isRunner = /\/node_modules\/jest-circus\//;
const isBare = /^(?!node:)[@a-z]/;
const contracts = fileURLToPath(new URL('../contracts/src/', import.meta.url));
const isContract = (path) => path.startsWith(contracts) && !path.endsWith('.test.ts');
const isPackage = (path) => path.includes('/node_modules/') && !keptApart.test(path) && !/\.(json|wasm)$/.test(path);
const isShared = (path) => isContract(path) || isPackage(path);

/**
 * Loads packages and contracts, which have no state, as Node does: once for all test files of a worker, instead of anew
 * for each file. The project's other modules are anew in each file.
 * @see docs/decisions/0393-tests-share-packages.md
 */
export default class SharedPackages extends JestRuntime {
  constructor(...options) {
    super(...options);
    const loader = this.esmLoader;
    const build = loader.buildCjsAsEsmSyntheticModule.bind(loader);
    const isUnmarkedEsm = loader.pendingCjsBuildIsUnmarkedEsm.bind(loader);
    loader.buildCjsAsEsmSyntheticModule = (from, path, context) =>
      isShared(path) ? sharedModule(path, context) : build(from, path, context);
    loader.pendingCjsBuildIsUnmarkedEsm = (pending) => !isShared(pending.modulePath) && isUnmarkedEsm(pending);
  }

  /** Loads what the project's own modules require by `createRequire`: of a package the same copy that they import. */
  requireModuleOrMock(from, name) {
    const path = from.includes('/node_modules/') ? undefined : resolved(from, name);
    return path !== undefined && isShared(path) ? load(path) : super.requireModuleOrMock(from, name);
  }

  /** Jest's runner is anew for each file; what it is made of (`expect`, differences, messages) is not. */
  requireInternalModule(from, name) {
    return name !== undefined && isRunner.test(from) && isBare.test(name)
      ? createRequire(from)(name)
      : super.requireInternalModule(from, name);
  }

  unstable_shouldLoadAsEsm(path) {
    return !isShared(path) && super.unstable_shouldLoadAsEsm(path);
  }
}

function resolved(from, name) {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}

/** A module as an import of Node's shows it. */
function sharedModule(path, context) {
  const loaded = load(path);
  const isObject = loaded !== null && ['object', 'function'].includes(typeof loaded);
  const named = isObject ? Object.keys(loaded).filter((name) => name !== 'default' && name !== 'module.exports') : [];
  return new vm.SyntheticModule(
    [...named, 'default'],
    function () {
      for (const name of named) this.setExport(name, loaded[name]);
      this.setExport('default', types.isModuleNamespaceObject(loaded) ? loaded.default : loaded);
    },
    { context, identifier: path },
  );
}
