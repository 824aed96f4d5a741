import type { KubernetesObject } from '../cluster/api.ts';
import { boundAddress } from '../cluster/node/addresses.ts';

/** Samples of a metric that a pod tells now. */
export async function samplesOf({ status }: KubernetesObject, metric: string): Promise<readonly number[]> {
  const answer = await fetch(`http://${boundAddress(String(status?.podIP))}:3100/metrics`);
  const lines = (await answer.text()).split('\n');
  return lines.filter((line) => /^\w+/.exec(line)?.[0] === metric).map((line) => Number(line.split(' ').at(-1)));
}

const form = /^(?<how>sum|max)\((?<metric>\w+)\{namespace="(?<namespace>[^"]*)",pod=~"(?<names>[^"]*)"\}\)$/;

/**
 * Answers a query of the chart's autoscaling as Prometheus does.
 *
 * @param pods of all namespaces
 * @returns undefined: there is no sample
 * @throws Error for a query of another form
 */
export async function answered(query: string, pods: readonly KubernetesObject[]): Promise<number | undefined> {
  const { how, metric = '', namespace, names } = form.exec(query)?.groups ?? {};
  if (how === undefined) throw new Error(`A query that is not known here: ${query}`);
  const name = new RegExp(`^(?:${names})$`);
  const asked = pods.filter(({ metadata }) => metadata.namespace === namespace && name.test(metadata.name));
  const samples = (await Promise.all(asked.map((pod) => samplesOf(pod, metric)))).flat();
  if (samples.length === 0) return undefined;
  return how === 'max' ? Math.max(...samples) : samples.reduce((sum, sample) => sum + sample, 0);
}
