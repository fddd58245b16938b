import type { Config } from '../../kernel/config/config.ts';
import { Contact } from '../../kernel/ui/contact.tsx';

/** Who operates this instance, and how to reach them. */
export function Operator({ config: { operator, contact } }: { config: Config }) {
  return (
    <section>
      <h2>Who operates this service</h2>
      <p>{operator ?? 'The operator of this instance has not published a name yet.'}</p>
      {contact === undefined ? null : (
        <p>
          Contact: <Contact contact={contact} />
        </p>
      )}
    </section>
  );
}
