/** Files, command and user that a container starts from; paths are those of the machine. */
export interface Image {
  /** Root of the file system. */
  readonly root: string;
  /** Folders of the machine in it, as [there, in the container]. */
  readonly folders: readonly (readonly [string, string])[];
  /** Folders among these that the container may write. */
  readonly writable: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly user: number;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
}
