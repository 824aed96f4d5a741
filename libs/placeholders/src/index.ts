export { fill, hasPlaceholders, placeholdersOf, valuesFrom, type Lookup } from './placeholders.ts';
