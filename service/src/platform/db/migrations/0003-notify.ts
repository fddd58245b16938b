import type { Migration } from '../migrate.ts';

/** PostgreSQL tells every instance that listens of a change: see `changes.ts`. SQLite has one service, which looks. */
export const notify: Migration = {
  name: 'notify',
  sqlite: '',
  postgres: `
    CREATE FUNCTION marque_tell_change() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      PERFORM pg_notify('marque_changes', NEW.topic);
      RETURN NULL;
    END
    $function$;
    CREATE TRIGGER tell_change AFTER INSERT OR UPDATE ON change_counters
      FOR EACH ROW EXECUTE FUNCTION marque_tell_change();
  `,
};
