#include "matrix.hpp"
#include <vector>

using namespace std;
using std::swap;
namespace fs = std::filesystem;

namespace linear { namespace detail::fast {

/// A dense matrix.
template <typename T, int N = 3>
class LINEAR_EXPORT Matrix : public Base<T>, private virtual shapes::Sized {
 public:
  using value_type = T;
  enum class Order : char { Row, Column };

  Matrix() : data_(N) {}
  explicit Matrix(int rows, const T& fill = T());
  Matrix(const Matrix& other) = default;
  ~Matrix();

  virtual T* row(std::size_t index) const = 0;
  static Matrix* make() { return new Matrix(1); }
  bool operator==(const Matrix& other) const { return data_ == other.data_; }
  T operator()(int i, int j) const { return at(i, j); }
  explicit operator bool() const { return !data_.empty(); }
  template <class U> U convert(U value) { return static_cast<U>(value); }
  friend std::ostream& operator<<(std::ostream& out, const Matrix& m) { return out; }

 protected:
  struct Iterator { int position; };

 private:
  std::vector<T> data_;
  int rows_ = 0, columns_;
  static const int kLimit;
};

}}  // namespace linear::detail::fast

template <>
void linear::Matrix<int>::fill(int value) {
  this->data_.assign(value, ns::count<int>(1));
  auto twice = [&](int x) { return x * 2; };
  std::sort(data_.begin(), data_.end(), twice);
  throw linear::Error{"bad"};
}

linear::Matrix::~Matrix() {}
Matrix& Matrix::operator=(const Matrix&) { return *this; }
const int Matrix::kLimit = 10;

static std::unique_ptr<Matrix> make_unique_matrix(int rows) { return nullptr; }
inline auto trailing(int a) -> int { return a; }
using IntMatrix = linear::Matrix<int>;
template <typename T> concept Scalar = requires(T t) { t.value(); };
struct Point final : Shape<int> { int x, y; };
constexpr int kSize = 4;
extern "C" { int c_entry(void) { return kSize; } }
