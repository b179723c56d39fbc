import { type Static, type TSchema, Type } from "typebox";

/** Every contract file builds schemas with this alias. A TypeBox schema is JSON Schema 2020-12. */
export const t = Type;

const uuidPattern = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";
/** A UUID in its canonical form. The format alone would accept `urn:uuid:`. */
export const Uuid = t.String({
  format: "uuid",
  pattern: uuidPattern,
  description: "UUID v4",
});
/** Whether an unvalidated text is a UUID. */
export function isUuid(text: string): boolean {
  return new RegExp(uuidPattern).test(text);
}
/** A phone number in responses: E.164, US only. */
export const Phone = t.String({ pattern: "^\\+1[0-9]{10}$", description: "E.164, US numbers only" });
/** A phone number in requests. The service validates it and returns OCE002 or OCV009. */
export const PhoneInput = t.String({ maxLength: 64, description: "E.164, US numbers only (`+1` and ten digits)" });
export const Email = t.String({ format: "email", maxLength: 254 });
/** Six digits, as in the text message. */
export const SixDigits = t.String({ pattern: "^[0-9]{6}$" });
/** A code in requests. The service reads its six digits, and returns ERR001 for another number of digits. */
export const TypedCode = t.String({ maxLength: 64 });
/** The last four digits of a social security number. */
export const Ssn4 = t.String({ pattern: "^[0-9]{4}$" });
export const Day = t.String({ format: "date", description: "yyyy-MM-dd" });
/** IPv6 text. An IPv4 address is written `::ffff:a.b.c.d`. */
export const Ipv6 = t.String({ format: "ipv6" });
/** Unix time in milliseconds. */
export const Millis = t.Integer({ description: "Unix time, milliseconds" });
/** A short free text from a person or a brand. */
export const ShortText = t.String({ maxLength: 200 });

/** A schema with a description for its place, such as "The 1-Click's id." */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  const properties = Object.getOwnPropertyDescriptors(schema);
  return Object.create(Object.getPrototypeOf(schema), {
    ...properties,
    description: { value: description, enumerable: true },
  });
}

/** One of several words: plain `enum` in JSON Schema, a union in TypeScript. */
export function stringEnum<const Words extends readonly string[]>(...words: Words) {
  return t.Unsafe<Words[number]>({ type: "string", enum: [...words] });
}

/** Any of several shapes: `anyOf` in JSON Schema. */
export function anyOf<const Shapes extends readonly TSchema[]>(...shapes: Shapes) {
  return t.Unsafe<Static<Shapes[number]>>({ anyOf: [...shapes] });
}

/** An object with arbitrary keys. */
export function mapOf<Value extends TSchema>(value: Value, description?: string) {
  return t.Unsafe<Record<string, Static<Value>>>({
    type: "object",
    additionalProperties: value,
    ...(description ? { description } : {}),
  });
}
