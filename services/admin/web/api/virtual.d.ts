declare module 'virtual:operations' {
  /** Method, path and access of every route. */
  export const operations: Readonly<Record<string, readonly [method: string, path: string, access: string]>>;
}
