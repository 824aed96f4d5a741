// Fetches what tests need to run Kafka without Docker (`.ci/run` does this before the tests).
import { fetchKafkaArchives } from './kafka-archives.ts';

const fault = fetchKafkaArchives();
if (fault !== undefined) {
  process.stderr.write(`Kafka's archives could not be fetched: ${fault}\n`);
  process.exitCode = 1;
}
