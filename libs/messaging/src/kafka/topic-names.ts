import { events } from '@messaging-gateway/contracts';

/** Put before the names of topics that are no promise to the outside, so that one rule can keep them from others. */
const internalPrefix = 'internal.';
const internalKinds = new Set(events.filter(({ visibility }) => visibility === 'internal').map(({ type }) => type));

/** The names of one installation on a cluster. */
export interface TopicNames {
  topicOf(kind: string): string;
  groupOf(group: string): string;
}

/** Topics are named by their kinds; those of internal kinds lie below `internal.`. */
export const topicNames = (prefix = ''): TopicNames => ({
  topicOf: (kind) => `${prefix}${internalKinds.has(kind) ? internalPrefix : ''}${kind}`,
  groupOf: (group) => `${prefix}${group}`,
});
