declare module 'virtual:operations' {
  /** Method, path and access of every route. */
  export const operations: Readonly<Record<string, readonly [method: string, path: string, access: string]>>;
}

declare module 'virtual:words' {
  /** Kinds that webhooks are told. */
  export const webhookEventKinds: typeof import('@messaging-gateway/contracts').webhookEventKinds;
}
