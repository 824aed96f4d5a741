const granted = {
  org: ['read', 'update', 'delete'],
  workspace: ['create', 'read', 'update', 'delete'],
  profile: ['create', 'read', 'update', 'delete', 'connect'],
  message: ['send', 'read', 'delete'],
  group: ['read', 'manage'],
  contact: ['create', 'read', 'update', 'delete', 'import', 'export'],
  template: ['create', 'read', 'update', 'delete'],
  broadcast: ['create', 'read', 'execute', 'delete'],
  automation: ['create', 'read', 'update', 'delete'],
  user: ['invite', 'read', 'update', 'remove'],
  role: ['manage'],
  apikey: ['create', 'read', 'delete'],
  webhook: ['manage'],
  audit: ['read'],
  settings: ['read', 'update'],
  statistics: ['read'],
} as const;

type Granted = typeof granted;
export type Permission = { [R in keyof Granted]: `${R}:${Granted[R][number]}` }[keyof Granted];

/** Every permission that a role or an API key can hold. */
export const permissions: readonly Permission[] = Object.entries(granted).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}:${action}` as Permission),
);

const reads = permissions.filter((permission) => permission.endsWith(':read'));

/** Permissions of the roles that every organization has and nobody edits (`docs/decisions/0407-system-roles-are-code.md`). */
export const systemRoles = {
  Owner: permissions,
  Admin: permissions.filter((permission) => permission !== 'org:delete' && permission !== 'role:manage'),
  Manager: [
    'org:read',
    'user:read',
    'workspace:read',
    'settings:read',
    'statistics:read',
    'profile:read',
    'profile:connect',
    'message:send',
    'message:read',
    'group:read',
    'group:manage',
    'contact:create',
    'contact:read',
    'contact:update',
    'contact:import',
    'contact:export',
    'template:create',
    'template:read',
    'template:update',
    'broadcast:create',
    'broadcast:read',
    'broadcast:execute',
    'automation:create',
    'automation:read',
    'automation:update',
  ],
  Operator: [
    'org:read',
    'user:read',
    'workspace:read',
    'settings:read',
    'statistics:read',
    'profile:read',
    'message:send',
    'message:read',
    'group:read',
    'contact:create',
    'contact:read',
    'contact:update',
    'template:read',
    'broadcast:read',
    'automation:read',
  ],
  Viewer: reads,
} as const satisfies Record<string, readonly Permission[]>;

export type SystemRole = keyof typeof systemRoles;
