import { execFile, fork, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { helmProgram, programOf } from '../programs.ts';
import { KubernetesApi } from './api.ts';
import type { ClusterPlan, ClusterReady } from './cluster.child.ts';

/** A small Kubernetes: a real control plane, and nodes whose pods are containers of runc. */
export interface Cluster {
  readonly api: KubernetesApi;
  /** @returns what it printed @throws Error with what it printed */
  helm(...words: readonly string[]): Promise<string>;
  kubectl(...words: readonly string[]): Promise<string>;
  /** Its power is cut. */
  killNode(name: string): Promise<void>;
  /** How the containers of a pod ended once they were asked to: exit codes; 137 is a kill. */
  endsOf(pod: string): number[];
  /** Last lines of the agent and of the pods. */
  logs(lines?: number): string;
  stop(): Promise<void>;
}

export async function startCluster(plan: Omit<ClusterPlan, 'folder'>): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-cluster-'));
  const agentLog = join(folder, 'agent.log');
  const log = openSync(agentLog, 'a');
  const child = fork(new URL('./cluster.child.ts', import.meta.url), [JSON.stringify({ ...plan, folder })], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  /** Ends the process, which removes the folder. */
  const stop = (): Promise<void> => ended(child);
  try {
    const { url, kubeconfig } = await said<ClusterReady>(child);
    const environment = {
      ...process.env,
      KUBECONFIG: kubeconfig,
      HELM_CACHE_HOME: join(folder, 'helm'),
      HELM_CONFIG_HOME: join(folder, 'helm'),
      HELM_DATA_HOME: join(folder, 'helm'),
    };
    const runner =
      (program: string) =>
      (...words: readonly string[]) =>
        printed(program, words, environment);
    return {
      api: new KubernetesApi(url),
      helm: runner(helmProgram() ?? 'helm'),
      kubectl: runner(programOf('kubectl') ?? 'kubectl'),
      killNode: async (name) => {
        const killed = said(child);
        child.send({ killNode: name });
        await killed;
      },
      endsOf: (pod) =>
        [...readFileSync(agentLog, 'utf8').matchAll(/ (\S+): \S+ ended with (\d+) \d+ ms after SIGTERM/g)]
          .filter(([, name]) => name === pod)
          .map(([, , code]) => Number(code)),
      logs: (lines = 40) => lastLines([agentLog, ...podLogs(folder)], lines),
      stop,
    };
  } catch (error) {
    const why = `${(error as Error).message}\n${lastLines([agentLog], 60)}`;
    await stop();
    throw new Error(why, { cause: error });
  }
}

/** The next thing that it says. */
const said = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('The cluster has ended.'));
    child.once('exit', gone);
    child.once('message', (message) => {
      child.off('exit', gone);
      resolve(message as T);
    });
  });

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function printed(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...words], { env, maxBuffer: 64 * 2 ** 20 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${words.slice(0, 2).join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}

function podLogs(folder: string): string[] {
  const place = join(folder, 'nodes/logs');
  return existsSync(place) ? readdirSync(place).map((name) => join(place, name)) : [];
}

const lastLines = (files: readonly string[], lines: number): string =>
  files
    .map((file) => [`--- ${file}`, ...readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines)].join('\n'))
    .join('\n');
