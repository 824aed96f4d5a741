// `npm run helm:generate`: writes what of the chart follows from the project. A test compares it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chart, generatedFiles } from './generated.ts';

for (const [path, content] of generatedFiles()) writeFileSync(fileURLToPath(new URL(path, chart)), content);
