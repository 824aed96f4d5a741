export * from './list-contacts.ts';
export * from './create-contact.ts';
export * from './get-contact.ts';
export * from './update-contact.ts';
export * from './delete-contact.ts';
export * from './tag-contact.ts';
export * from './import-contacts.ts';
export * from './export-contacts-csv.ts';
export { Contact, ImportedContact } from './shapes.ts';
