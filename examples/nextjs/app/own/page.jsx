export default function OwnPage() {
  return (
    <>
      <h1>Tell us about you</h1>
      <p>Show your own signup form here.</p>
    </>
  );
}
