const { ADMIN_PUBLIC_DEMO_MODE: word = '' } = import.meta.env as Readonly<Record<string, string | undefined>>;

/** The pages were built for a demonstration: nothing can be changed there. */
export const isDemo = ['true', '1', 'on', 'yes'].includes(word.toLowerCase());
