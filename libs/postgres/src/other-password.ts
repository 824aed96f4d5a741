/** The cluster was made with another password than the one that is given. */
export class OtherPassword extends Error {
  constructor(directory: string) {
    super(`The PostgreSQL in ${directory} was made with another password than the one that is kept now.`);
    this.name = 'OtherPassword';
  }
}
