import type { AuditSpec, Operation } from './contract.ts';

/** Categories of actions. */
export const auditCategories = [
  'account',
  'api_key',
  'auth',
  'auto_reply',
  'batch',
  'broadcast',
  'contact',
  'conversation',
  'flow',
  'group',
  'integration',
  'knowledge',
  'media',
  'member',
  'message',
  'organization',
  'profile',
  'push',
  'quick_reply',
  'role',
  'schedule',
  'session',
  'settings',
  'suppression',
  'template',
  'two_factor',
  'user',
  'webhook',
  'workspace',
] as const;

const categories: ReadonlySet<string> = new Set(auditCategories);

type Audited = Pick<Operation, 'method' | 'path' | 'name' | 'audit'>;

/**
 * How the audit keeps what an operation does: as the contract says, or named after the operation (`CreateProfile`:
 * `profile.create`).
 *
 * @returns with `resourceParameter` undefined where what the change is written to tells which thing it is about; undefined
 *   when nothing is audited: it only reads, its contract says so, or its name tells nothing
 */
export function auditOf(operation: Audited): AuditSpec | undefined {
  const spec = specOf(operation);
  return spec && { resourceParameter: resourceParameterOf(spec, operation.path), ...spec };
}

function specOf({ method, name, audit }: Audited): AuditSpec | undefined {
  if (method === 'GET' || audit === false) return undefined;
  if (audit !== undefined) return typeof audit === 'string' ? { action: audit } : audit;
  const [, verb = '', rest = ''] = /^([A-Z][a-z]+)([A-Z].*)$/.exec(name) ?? [];
  const category = rest.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase();
  return categories.has(category) ? { action: `${category}.${verb.toLowerCase()}` } : undefined;
}

const makes = /\.(?:create|invite|register)$/;

function resourceParameterOf({ action }: AuditSpec, path: string): string | undefined {
  if (makes.test(action)) return undefined;
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name);
  return names.includes('id') ? 'id' : names.at(-1);
}

/** Actions that are more than one operation, or none. */
const described: Readonly<Record<string, string>> = {
  'auth.login_failed': 'Somebody tried to log in with a wrong password or code',
  'contact.import': 'Import contacts',
  'message.send': 'Send a message, by whatever route',
  'profile.connect': 'Start the connection of a profile',
  'profile.create': 'Create a profile',
  'profile.delete': 'Delete a profile',
  'profile.disconnect': 'Disconnect a profile',
  'suppression.opt_out': 'Somebody has written an opt-out word',
  'suppression.resume': 'Somebody has written a word to be written to again',
  'user.reset_password': 'An operator has reset the password of a user',
};

export interface AuditAction {
  readonly key: string;
  readonly category: string;
  readonly description: string;
}

/** Every action that an entry can name, in the order of their keys. */
export function auditActions(operations: readonly Operation[]): readonly AuditAction[] {
  const summaries = new Map<string, string>();
  for (const operation of operations) {
    const spec = auditOf(operation);
    if (spec !== undefined) summaries.set(spec.action, operation.summary);
  }
  return [...new Map([...summaries, ...Object.entries(described)])]
    .map(([key, description]) => ({ key, category: key.split('.')[0] ?? key, description }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
