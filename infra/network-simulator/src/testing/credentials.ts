import {
  initAuthCreds,
  type AuthenticationCreds,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys';

export type Credentials = { creds: AuthenticationCreds; keys: SignalKeyStore };

export function newCredentials(): Credentials {
  return { creds: initAuthCreds(), keys: memoryKeys() };
}

function memoryKeys(): SignalKeyStore {
  const values = new Map<string, unknown>();
  return {
    get: async <Kind extends keyof SignalDataTypeMap>(kind: Kind, ids: string[]) => {
      const found = ids.map((id) => [id, values.get(`${kind} ${id}`)]).filter(([, value]) => value !== undefined);
      return Object.fromEntries(found) as Record<string, SignalDataTypeMap[Kind]>;
    },
    set: async (changes) => {
      for (const [kind, entries] of Object.entries(changes)) {
        for (const [id, value] of Object.entries(entries ?? {})) {
          if (value === null) values.delete(`${kind} ${id}`);
          else values.set(`${kind} ${id}`, value);
        }
      }
    },
  };
}
