/** Saves a CSV file that an authenticated call returned, so there is no download URL that others could open. */
export const saveCsv = (name: string, csv: string) => saveFile(name, csv, "text/csv");

export function saveFile(name: string, text: string, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
