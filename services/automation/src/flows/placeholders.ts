const known = /^(?:name|phone|link|match|message|[1-9][0-9]?|metadata\..+)$/;

/** Whether a flow has a placeholder of this name. */
export const isPlaceholder = (name: string): boolean => known.test(name);
