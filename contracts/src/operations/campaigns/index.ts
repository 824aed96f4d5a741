export * from './create-template.ts';
export * from './list-templates.ts';
export * from './get-template.ts';
export * from './update-template.ts';
export * from './delete-template.ts';
export * from './preview-template.ts';
export * from './duplicate-template.ts';
export { Template, TemplateContent, templateContents, type templateCategories } from './template.ts';
