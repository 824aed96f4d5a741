declare module 'virtual:operations' {
  /** Method, path and access of every route. */
  export const operations: Readonly<Record<string, readonly [method: string, path: string, access: string]>>;
}

declare module 'virtual:words' {
  import type * as contracts from '@messaging-gateway/contracts';

  /** Kinds that webhooks are told. */
  export const webhookEventKinds: typeof contracts.webhookEventKinds;
}
