import { describe, expect, it } from '@jest/globals';
import { memorySettings } from './memory.ts';

const gibibyte = 1024 ** 3;

describe('the memory of the embedded server', () => {
  it('is a share of the machine', () => {
    expect(memorySettings(2 * gibibyte)).toEqual({ shared_buffers: '256MB', effective_cache_size: '1024MB' });
  });

  it('is never less than what PostgreSQL takes by itself, and never more than one gateway needs', () => {
    expect(memorySettings(0.5 * gibibyte)).toEqual({ shared_buffers: '128MB', effective_cache_size: '256MB' });
    expect(memorySettings(256 * gibibyte)['shared_buffers']).toBe('512MB');
  });
});
