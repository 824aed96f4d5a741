// What Nx knows of the project: one row of tasks for every package, and who needs whom.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders without a manifest that have tests of their own, of the project as a whole: any change may break them. */
const aboutAll = ['tools', 'infra/service-image', 'infra/observability'];
/** Files in no package that tests of documents look at. */
const documents = [
  '**/*.md',
  'docs/**',
  '.ci/**',
  '.env.example',
  '.dockerignore',
  'docker-compose.yml',
  'infra/service.Dockerfile',
  'infra/{kafka,postgres,rabbitmq}/**',
].map((path) => `{workspaceRoot}/${path}`);
const node = 'node_modules/.bin/node';

export const name = 'messaging-gateway';

export const createNodes = [
  '{nx.json,contracts/package.json,{libs,services,infra}/*/package.json}',
  (files) =>
    files.map((file) => [file, { projects: file === 'nx.json' ? withoutManifest() : packageAt(dirname(file)) }]),
];

const packageAt = (root) => ({ [root]: { root, targets: tasks(root) } });

/** Also `services/registry.ts`, the list of all services, which is checked with those who read it. */
const withoutManifest = () => ({
  services: { root: 'services', name: 'services', targets: {} },
  ...Object.fromEntries(aboutAll.map((root) => [root, { root, name: root.replace('/', '-'), targets: tasks(root) }])),
});

/** Tasks of a package. `sources`, `rules`, `runner` and `servers` of `nx.json` decide with the rest whether a result is still known. */
function tasks(root) {
  const sources = ['sources', '^sources', 'rules'];
  // What `.ci/run` tries by itself.
  const but = root === 'tools' ? " '--testPathIgnorePatterns=/node_modules/|/distributed/previous/'" : '';
  return {
    test: {
      command: `${node} tools/test.mjs --passWithNoTests '/${root}/.*\\.test\\.ts$'${but}`,
      inputs: [...sources, 'runner', 'servers', ...(aboutAll.includes(root) ? documents : [])],
      cache: true,
      parallelism: false,
    },
    typecheck: { command: `${node} tools/nx/typecheck.mjs ${root}`, inputs: sources, cache: true },
    lint: {
      command: `node_modules/.bin/oxlint --type-aware ${root}`,
      inputs: [...sources, '{workspaceRoot}/.oxlintrc.json'],
      cache: true,
    },
  };
}

/**
 * Every import that leads to another package, of tests too: manifests leave out what the root installs for all tests. A
 * service that starts as a process finds its row in the list of all; what comes of that is tried in `tools/distributed`.
 */
export function createDependencies(_, { projects, fileMap, workspaceRoot }) {
  const roots = new Map(Object.entries(projects).map(([project, { root }]) => [root, project]));
  const needs = Object.entries(fileMap.projectFileMap).flatMap(([source, files]) =>
    files
      .filter(({ file }) => /\.(tsx?|mjs)$/.test(file))
      .flatMap(({ file }) =>
        importsOf(join(workspaceRoot, file))
          .map((specifier) => target(file, specifier, projects, roots))
          .filter((found) => found !== undefined && found !== source)
          .filter((found) => found !== 'services' || !isService.test(file))
          .map((found) => ({ source, target: found, sourceFile: file, type: 'static' })),
      ),
  );
  const whole = aboutAll.map((root) => roots.get(root)).filter((source) => source !== undefined);
  const others = Object.keys(projects).filter((project) => !whole.includes(project));
  return [...needs, ...whole.flatMap((source) => others.map((target) => ({ source, target, type: 'implicit' })))];
}

const isService = /^services\/(?!standalone\/)[a-z-]+\//;

const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier);

function target(file, specifier, projects, roots) {
  if (!specifier.startsWith('.')) {
    const packageName = specifier.split('/').slice(0, 2).join('/');
    return packageName in projects ? packageName : undefined;
  }
  for (
    let folder = join(dirname(file), specifier);
    folder !== '.' && !folder.startsWith('..');
    folder = dirname(folder)
  )
    if (roots.has(folder)) return roots.get(folder);
  return undefined;
}
