/** The words of a message. In SQL with the column `content`. */
export const textWords = `to_tsvector('simple', coalesce(content->>'text', '') || ' ' || coalesce(content->>'caption', '') || ' ' ||
                      coalesce(content->>'filename', '') || ' ' || coalesce(content->>'question', '') || ' ' ||
                      coalesce(content->>'name', ''))`;

/** The words of a message, and where it belongs: the expression of the index `messages_words_index`. */
export const words = `(${textWords}
  || array_to_tsvector(ARRAY['profile ' || profile_id::text, 'conversation ' || conversation_id::text]))`;

/** Messages that hold all words of a parameter, the last one perhaps in part; nothing without a word. */
export const askedWords = (parameter: string): string =>
  `(nullif(plainto_tsquery('simple', ${parameter})::text, '') || ':*')::tsquery`;
