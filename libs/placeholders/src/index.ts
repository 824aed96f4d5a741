export { fill, hasPlaceholders, placeholdersOf, valuesFrom } from './placeholders.ts';
