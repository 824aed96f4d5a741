import { parse, type AlterTableCmd, type Node, type RangeVar } from 'libpg-query';

/** Changes of a table that cost no look at its rows and take nothing from those who use it as it was. */
const harmless = new Set([
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_ResetRelOptions',
  'AT_SetRelOptions',
  'AT_SetStatistics',
  'AT_SetStorage',
  'AT_ValidateConstraint',
]);
/** Statements that may stand in an expand step beside those that are looked at more closely. */
const allowed = new Set([
  'CommentStmt',
  'CreateFunctionStmt',
  'CreateSeqStmt',
  'CreateTrigStmt',
  'DeleteStmt',
  'InsertStmt',
  'SelectStmt',
  'UpdateStmt',
]);

/**
 * Faults of a migration that versions of before cannot bear beside them, and on tables with rows: drop, rename, change
 * types, demand what was not demanded, index without `CONCURRENTLY`. Tables that the step makes itself are free.
 *
 * @returns sentences, none when the step only adds
 */
export async function faultsOfExpand(sql: string): Promise<string[]> {
  const { stmts = [] } = await parse(sql.replaceAll('{schema}', 'service'));
  const own = new Set<string>();
  return stmts.flatMap(({ stmt }) => (stmt === undefined ? [] : faultsOf(stmt, own)));
}

function faultsOf(statement: Node, own: Set<string>): string[] {
  const isOwn = (table: RangeVar | undefined): boolean => own.has(table?.relname ?? '');
  const [kind = ''] = Object.keys(statement);
  if ('CreateStmt' in statement) {
    own.add(statement.CreateStmt.relation?.relname ?? '');
    const parent = statement.CreateStmt.inhRelations?.[0];
    const partitioned = parent !== undefined && 'RangeVar' in parent ? parent.RangeVar : undefined;
    return partitioned === undefined || isOwn(partitioned) ? [] : ['adds a partition to a table that is in use'];
  }
  if ('IndexStmt' in statement) {
    const { concurrent, relation, idxname } = statement.IndexStmt;
    return concurrent === true || isOwn(relation) ? [] : [`makes the index ${idxname} without CONCURRENTLY`];
  }
  if ('AlterTableStmt' in statement) {
    const { relation, cmds = [] } = statement.AlterTableStmt;
    if (isOwn(relation)) return [];
    return cmds.flatMap((node) => ('AlterTableCmd' in node ? faultsOfChange(node.AlterTableCmd) : []));
  }
  return allowed.has(kind) ? [] : [`has a ${kind}`];
}

function faultsOfChange({ subtype, def, name }: AlterTableCmd): string[] {
  if (harmless.has(subtype ?? '')) return [];
  if (def !== undefined && 'ColumnDef' in def && subtype === 'AT_AddColumn') return faultsOfColumn(def.ColumnDef);
  if (def !== undefined && 'Constraint' in def && subtype === 'AT_AddConstraint')
    return def.Constraint.skip_validation === true
      ? []
      : [`adds the constraint ${def.Constraint.conname} without NOT VALID`];
  return [`${subtype} ${name ?? ''}`.trim()];
}

function faultsOfColumn({ colname, constraints = [] }: Extract<Node, { ColumnDef: unknown }>['ColumnDef']): string[] {
  const given = constraints.flatMap((node) => ('Constraint' in node ? [node.Constraint] : []));
  const kinds = given.map(({ contype }) => contype);
  const start = given.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr;
  const faults = kinds
    .filter((kind) => kind !== 'CONSTR_DEFAULT' && kind !== 'CONSTR_NOTNULL' && kind !== 'CONSTR_NULL')
    .map((kind) => `adds the column ${colname} with ${kind}`);
  if (kinds.includes('CONSTR_NOTNULL') && start === undefined)
    faults.push(`adds the column ${colname} that nobody of before fills: NOT NULL without DEFAULT`);
  if (start !== undefined && !isConstant(start))
    faults.push(`adds the column ${colname} with a default that rewrites all rows`);
  return faults;
}

const isConstant = (value: Node): boolean =>
  'A_Const' in value ||
  'A_ArrayExpr' in value ||
  ('TypeCast' in value && value.TypeCast.arg !== undefined && isConstant(value.TypeCast.arg));
