import { createRequire } from 'node:module';

interface Encoder {
  writeInt8(value: number): Encoder;
  writeString(value: string): Encoder;
  writeBoolean(value: boolean): Encoder;
  writeArray(values: readonly Encoder[]): Encoder;
}

interface Resource {
  readonly type: number;
  readonly name: string;
  readonly configEntries: readonly { readonly name: string; readonly value: string }[];
}

interface AlterConfigs {
  protocol(of: { readonly version: number }): (asked: {
    readonly resources: readonly Resource[];
    readonly validateOnly: boolean;
  }) => {
    readonly request: object;
    readonly response: unknown;
  };
}

/** IncrementalAlterConfigs, version 0, whose answer looks like that of AlterConfigs. Brokers know it since 2.3. */
const request = { apiKey: 44, apiVersion: 0, apiName: 'IncrementalAlterConfigs' };
/** The operation that gives a setting a value. */
const set = 0;

/**
 * Lets the library's `alterConfigs` change the settings that are named and no others. The request that it knows (2.2.4)
 * replaces all: who sends it must read the others before, and wipes what somebody has set meanwhile, or what the broker
 * that was asked had not heard of yet.
 */
export function changeNamedSettingsOnly(): void {
  const load = createRequire(import.meta.url);
  const New = load('kafkajs/src/protocol/encoder') as new () => Encoder;
  const response: unknown = load('kafkajs/src/protocol/requests/alterConfigs/v0/response');
  const setting = ({ name, value }: Resource['configEntries'][number]): Encoder =>
    new New().writeString(name).writeInt8(set).writeString(value);
  const resource = ({ type, name, configEntries }: Resource): Encoder =>
    new New().writeInt8(type).writeString(name).writeArray(configEntries.map(setting));
  (load('kafkajs/src/protocol/requests/alterConfigs') as AlterConfigs).protocol =
    () =>
    ({ resources, validateOnly }) => ({
      request: {
        ...request,
        encode: async () => new New().writeArray(resources.map(resource)).writeBoolean(validateOnly),
      },
      response,
    });
}
